using System.Buffers;
using Larder.Redis;
using Larder.Server.Calls;
using Larder.Store.Collections;

namespace Larder.Server.Fleet;

/// <summary>The calls that take an element from an end of a list: a script, which looks at its size before, and counts what is left.</summary>
/// <param name="end">Which.</param>
internal abstract class RemoteListPop(ListEnd end) : RemoteCall(isIdempotent: false)
{
    private readonly byte[] _verb = end == ListEnd.Front ? "LPOP"u8.ToArray() : "RPOP"u8.ToArray();

    public sealed override CallError? Begin(ReadOnlySpan<byte> request, RemoteCommand command)
    {
        if (KeyRequest.Decode(request, out ReadOnlySpan<byte> name) is { } error)
        {
            return error;
        }

        command.Begin(CollectionScripts.ListPop, name, 4);
        command.Add(_verb);
        command.Add(end == ListEnd.Front ? 0 : -1);
        command.Add(command.MostBytes());
        command.Add(PlainElement.BytesBeside);
        return null;
    }

    public sealed override CallError? Answer(RemoteCommand command, ref RespReader reply, IBufferWriter<byte> response)
    {
        if (reply.Kind != RespKind.Array)
        {
            return CollectionReply.Write<PlainReply, PlainElement>(command, ref reply, response, "");
        }

        RespReader left = reply;
        left.Read();
        left.Read();
        return CollectionReply.WriteFound<PlainReply, PlainElement>(command, ref reply, 1, response, "", left.Integer);
    }
}
