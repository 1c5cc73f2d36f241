// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
using System.Buffers;

namespace Larder.Server.Calls;

/// <summary>The responses of ItemGetTtl.</summary>
internal static class ItemGetTtlAnswer
{
    /// <summary>The item exists.</summary>
    /// <param name="response">Takes the message.</param>
    /// <param name="remainingTtlMs">The time until the item expires, rounded down to milliseconds.</param>
    public static void Found(IBufferWriter<byte> response, ulong remainingTtlMs) => response.WriteVarintArm(1, remainingTtlMs);

    /// <summary>The item does not exist, or has expired.</summary>
    public static void Missing(IBufferWriter<byte> response) => response.WriteEmptyArm(2);
}
