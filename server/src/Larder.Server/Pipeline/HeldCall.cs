namespace Larder.Server.Pipeline;

/// <summary>A call that fault injection holds back: a copy of its parts, since the message is gone by the time it runs.</summary>
/// <param name="Id">The client's id.</param>
/// <param name="CacheName">The cache; empty: the stream's.</param>
/// <param name="DeadlineMs">The time it had left on arrival in milliseconds; 0: no deadline.</param>
/// <param name="CallField">The call's field.</param>
/// <param name="Request">The request message.</param>
internal sealed record HeldCall(uint Id, string CacheName, uint DeadlineMs, int CallField, byte[] Request);
