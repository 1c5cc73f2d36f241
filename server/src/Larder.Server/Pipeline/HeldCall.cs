namespace Larder.Server.Pipeline;

/// <summary>A call delayed by fault injection: a copy of its parts, because the message is released before it runs.</summary>
/// <param name="Id">The client's operation ID.</param>
/// <param name="CacheName">The cache name; empty for the stream's own cache.</param>
/// <param name="DeadlineMs">The remaining time on arrival, in milliseconds; 0 for no deadline.</param>
/// <param name="CallField">The pipeline field of the call.</param>
/// <param name="Request">The request message.</param>
internal sealed record HeldCall(uint Id, string CacheName, uint DeadlineMs, int CallField, byte[] Request);
