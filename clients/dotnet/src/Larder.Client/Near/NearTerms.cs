namespace Larder.Client.Near;

/// <summary>
/// On what terms an answer may be kept, as the server says: the ticket and 1, 0 for not at all; and the milliseconds that the value has left.
/// </summary>
internal readonly record struct NearTerms(uint Ticket, uint TtlLeftMs);
