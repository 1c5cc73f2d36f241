namespace Larder.Client.Operations;

/// <summary>A collection's time to live, as a request says it.</summary>
/// <param name="Milliseconds">Over 0; 0 where the call keeps what there is.</param>
/// <param name="Refreshes">Whether a collection that is there gets it too.</param>
internal readonly record struct WireTtl(ulong Milliseconds, bool Refreshes);
