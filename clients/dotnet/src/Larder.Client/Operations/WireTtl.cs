namespace Larder.Client.Operations;

/// <summary>A collection's time to live, as encoded in a request.</summary>
/// <param name="Milliseconds">The time to live, or 0 if the call keeps the existing time to live.</param>
/// <param name="Refreshes">Whether the time to live also applies to an existing collection.</param>
internal readonly record struct WireTtl(ulong Milliseconds, bool Refreshes);
