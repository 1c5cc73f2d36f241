using Larder.Server.Calls;

namespace Larder.Server.Fleet;

/// <summary>SortedSetRemove: ZREM, or the whole.</summary>
internal sealed class RemoteSortedSetRemove()
    : RemoteRemove(SortedSetRemoveCall.All, "zset"u8.ToArray(), "ZREM"u8.ToArray(), "ZCARD"u8.ToArray());
