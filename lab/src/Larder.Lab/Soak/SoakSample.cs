namespace Larder.Lab.Soak;

/// <summary>A sample of the client's and the server's memory and connections during a soak.</summary>
internal sealed record SoakSample(TimeSpan At, long ClientResidentBytes, long ClientManagedBytes, long? ServerResidentBytes, long? Connections);
