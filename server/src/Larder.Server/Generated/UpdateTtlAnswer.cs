// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
using System.Buffers;

namespace Larder.Server.Calls;

/// <summary>The responses of UpdateTtl.</summary>
internal static class UpdateTtlAnswer
{
    /// <summary>The TTL was changed.</summary>
    public static void Set(IBufferWriter<byte> response) => response.WriteEmptyArm(1);

    /// <summary>The TTL is unchanged, because the new TTL is not longer (or not shorter) than the remaining TTL.</summary>
    public static void NotSet(IBufferWriter<byte> response) => response.WriteEmptyArm(2);

    /// <summary>The item does not exist, or has expired.</summary>
    public static void Missing(IBufferWriter<byte> response) => response.WriteEmptyArm(3);
}
