using System.Buffers;
using Larder.Redis;
using Larder.Server.Calls;
using Larder.Store.Collections;

namespace Larder.Server.Fleet;

/// <summary>Pops an element from one end of a list. The script first checks the size of the element. It returns the element and the remaining length.</summary>
/// <param name="end">The end from which the element is popped.</param>
internal sealed class RemoteListPop(ListEnd end) : RemoteCall(isIdempotent: false)
{
    private readonly byte[] _verb = end == ListEnd.Front ? "LPOP"u8.ToArray() : "RPOP"u8.ToArray();

    public override CallError? Begin(ReadOnlySpan<byte> request, RemoteCommand command)
    {
        if (KeyRequest.Decode(request, out ReadOnlySpan<byte> name) is { } error)
        {
            return error;
        }

        command.Begin(CollectionScripts.ListPop, name, 4);
        command.Add(_verb);
        command.Add(end == ListEnd.Front ? 0 : -1);
        command.Add(command.MaxBytes());
        command.Add(PlainElement.OverheadBytesPerElement);
        return null;
    }

    public override CallError? Answer(RemoteCommand command, ref RespReader reply, IBufferWriter<byte> response)
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
