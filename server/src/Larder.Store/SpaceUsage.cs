using System.Runtime.InteropServices;

namespace Larder.Store;

/// <summary>What one space holds in one shard; on a cache line of its own.</summary>
[StructLayout(LayoutKind.Sequential, Size = 128)]
internal struct SpaceUsage
{
    public long Entries;
    public long Bytes;
}
