package object

func groupDetails(s *Spec) {}
