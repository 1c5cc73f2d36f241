using System.Buffers;
using Larder.Redis;
using Larder.Server.Calls;

namespace Larder.Server.Fleet;

/// <summary>Runs ItemGetType as the Redis command TYPE.</summary>
internal sealed class RemoteItemGetType() : RemoteKeyCall("TYPE")
{
    // The values of ItemGetTypeResponse.Found.type.
    private const ulong Scalar = 0;
    private const ulong Dictionary = 1;
    private const ulong Set = 2;
    private const ulong List = 3;
    private const ulong SortedSet = 4;

    public override CallError? Answer(RemoteCommand command, ref RespReader reply, IBufferWriter<byte> response)
    {
        ReadOnlySpan<byte> name = reply.Bytes;
        if (name.SequenceEqual("none"u8))
        {
            ItemGetTypeAnswer.Missing(response);
            return null;
        }

        if (TypeOf(name) is not { } type)
        {
            return FleetErrors.Unexpected;
        }

        ItemGetTypeAnswer.Found(response, type);
        return null;
    }

    private static ulong? TypeOf(ReadOnlySpan<byte> name) =>
        name.SequenceEqual("string"u8) ? Scalar
        : name.SequenceEqual("hash"u8) ? Dictionary
        : name.SequenceEqual("set"u8) ? Set
        : name.SequenceEqual("list"u8) ? List
        : name.SequenceEqual("zset"u8) ? SortedSet
        : null;
}
