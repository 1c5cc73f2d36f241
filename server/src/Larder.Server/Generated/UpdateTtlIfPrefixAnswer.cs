// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
using System.Buffers;

namespace Larder.Server.Calls;

/// <summary>The responses of UpdateTtlIfPrefix.</summary>
internal static class UpdateTtlIfPrefixAnswer
{
    /// <summary>The TTL was changed.</summary>
    public static void Set(IBufferWriter<byte> response) => response.WriteEmptyArm(1);

    /// <summary>The value does not begin with the given prefix; the item is unchanged.</summary>
    /// <param name="response">Takes the message.</param>
    /// <param name="prefix">The first 64 bytes of the value, or the whole value if it is shorter.</param>
    public static void Different(IBufferWriter<byte> response, ReadOnlySpan<byte> prefix) => response.WriteBytesArm(2, prefix);

    /// <summary>The item does not exist, or has expired.</summary>
    public static void Missing(IBufferWriter<byte> response) => response.WriteEmptyArm(3);
}
