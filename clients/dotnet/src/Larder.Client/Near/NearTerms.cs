namespace Larder.Client.Near;

/// <summary>
/// The server's terms for caching a value: the ticket by which it will be invalidated plus 1, or 0 if the value must not be cached, and its remaining TTL in
/// milliseconds.
/// </summary>
internal readonly record struct NearTerms(uint Ticket, uint TtlLeftMs);
