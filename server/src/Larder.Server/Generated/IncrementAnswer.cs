// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
using System.Buffers;

namespace Larder.Server.Calls;

/// <summary>The responses of Increment.</summary>
internal static class IncrementAnswer
{
    /// <summary>The item was incremented.</summary>
    /// <param name="response">Takes the message.</param>
    /// <param name="value">The value after the increment.</param>
    public static void Success(IBufferWriter<byte> response, long value) => response.WriteVarint(1, (ulong)value);
}
