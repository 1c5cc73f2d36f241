namespace Larder.Client.Near;

/// <summary>The server's terms for caching a value: the ticket plus 1, or 0 if it must not be cached, and the remaining TTL in milliseconds.</summary>
internal readonly record struct NearTerms(uint Ticket, uint TtlLeftMs);
