from cowboy_sdk import actor, public, runner


@actor
class Asking:
    @public
    @runner.continuation
    async def ask(self, payload):
        self.storage["answer"] = await runner.llm("how much?")
