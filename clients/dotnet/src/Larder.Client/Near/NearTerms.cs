namespace Larder.Client.Near;

/// <summary>
/// The server's terms for caching a value. The ticket is the number by which the server invalidates the value, plus 1. It is 0 if the value must not be cached.
/// The remaining TTL is in milliseconds.
/// </summary>
internal readonly record struct NearTerms(uint Ticket, uint TtlLeftMs);
