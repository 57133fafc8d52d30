// Package route is the chapter of the Route Registry at 0x0E: names that lead to actors, and routes of actors. The rules are package chain/route's.
//
// A method is a handler of 0x0E that takes canonical CBOR, a dict by the parameters' names or a list, in a message, a call or an Execute transaction, and
// answers with CBOR. register, renew and their forms for labels of top-level domains take coins: what is above the price comes back.
//
//	register(name, actor_address, duration_blocks)                     {name, price, expires_at}
//	renew(name, duration_blocks)                                       {name, price, expires_at}
//	transfer(name, new_owner), set_actor(name, actor_address), set_subdomain_policy(name, policy)
//	resolve(name)                                                      the record
//	lookup(actor, after=None)                                          at most 100 names above after
//	quote(name, duration_blocks)                                       {price, status}
//	register_tld_label(label, tld_kind, actor_address, duration_blocks), renew_tld(label, tld_kind, duration_blocks),
//	transfer_tld(label, tld_kind, new_owner)
//	update_route_manifest(static_routes, dynamic_routes)               of the actor that asks
//	routes(actor)
//
//	begin_attach_external(fqdn, actor_address, method=0)               the record, with what the DNS has to say; method 1 is SRV
//	reverify_external(fqdn)                                            {fqdn, job_id}; takes the most that the job may cost
//	detach_external(fqdn), resolve_external(fqdn)
//
// reverify_external posts a job of three runners, whose executor governance pins as "dns"; 0x03 tells the registry its result (67), on what the
// transaction left.
//
// A name is a label, which is one of .cowboy.network, or a full domain.
//
// Spec: gateway-payments-streams §A; storage-cbfs §3.2 (102); WP §9 (0x0E).
package route
