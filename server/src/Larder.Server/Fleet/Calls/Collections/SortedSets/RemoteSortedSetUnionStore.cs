using System.Buffers;
using Larder.Redis;
using Larder.Server.Calls;

namespace Larder.Server.Fleet;

/// <summary>Runs SortedSetUnionStore as several commands, the last of which stores the union under its key (<see cref="UnionJoin"/>).</summary>
internal sealed class RemoteSortedSetUnionStore() : RemoteCall(isIdempotent: false)
{
    public override CallError? Begin(ReadOnlySpan<byte> request, RemoteCommand command)
    {
        using ElementsRequest sources = ElementsRequest.Decode(request, ElementShape.Weighted);
        if (SortedSetUnionStoreCall.Check(sources, command.Target.Rules) is { } error)
        {
            return error;
        }

        command.Request = command.Caller.Keep(command, request);
        command.Join = new UnionJoin(command, sources, request);
        return null;
    }

    public override CallError? Answer(RemoteCommand command, ref RespReader reply, IBufferWriter<byte> response) =>
        throw new InvalidOperationException("A joined call does not receive a response itself; only its parts do.");
}
