namespace Larder.Lab.Fleet;

/// <summary>A sample of the first gateway's resources during a soak.</summary>
internal sealed record FleetSoakSample(TimeSpan At, long ResidentBytes, int Descriptors, long Streams, long Outstanding, long Waiting);
