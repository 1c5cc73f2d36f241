namespace Larder.Server.Pipeline;

/// <summary>A call that fault injection delays. It contains copies of the operation's fields, because the message is released before the call runs.</summary>
/// <param name="Id">The client's operation ID.</param>
/// <param name="CacheName">The cache name; empty for the default cache of the stream.</param>
/// <param name="DeadlineMs">The remaining time on arrival, in milliseconds; 0 for no deadline.</param>
/// <param name="CallField">The pipeline field of the call.</param>
/// <param name="Request">The request message.</param>
internal sealed record HeldCall(uint Id, string CacheName, uint DeadlineMs, int CallField, byte[] Request);
