// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
using System.Buffers;

namespace Larder.Server.Calls;

/// <summary>The responses of ItemGetType.</summary>
internal static class ItemGetTypeAnswer
{
    /// <summary>The item exists.</summary>
    /// <param name="response">Takes the message.</param>
    /// <param name="type">The type of the item.</param>
    public static void Found(IBufferWriter<byte> response, ulong type) => response.WriteVarintArm(1, type);

    /// <summary>The item does not exist, or has expired.</summary>
    public static void Missing(IBufferWriter<byte> response) => response.WriteEmptyArm(2);
}
