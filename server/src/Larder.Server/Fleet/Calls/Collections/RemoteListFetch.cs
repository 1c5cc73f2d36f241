using System.Buffers;
using Larder.Redis;
using Larder.Server.Calls;
using Larder.Store.Collections;

namespace Larder.Server.Fleet;

/// <summary>ListFetch: LRANGE, within a script that counts its bytes, or behind it.</summary>
internal sealed class RemoteListFetch() : RemoteCall(isIdempotent: true)
{
    public override CallError? Begin(ReadOnlySpan<byte> request, RemoteCommand command)
    {
        if (SliceRequest.Decode(request, out SliceRequest fields) is { } error)
        {
            return error;
        }

        command.Request = command.Caller.Keep(command, request);
        command.Begin(CollectionScripts.ListFetch, fields.Name, 4);
        command.AddBounds(fields.Slice);
        command.Add(command.MostBytes());
        command.Add(PlainElement.BytesBeside);
        return null;
    }

    public override CallError? Answer(RemoteCommand command, ref RespReader reply, IBufferWriter<byte> response)
    {
        if (reply.Is(CollectionReply.ReadAtOnce))
        {
            SliceRequest.Decode(command.Request.Span, out SliceRequest fields);
            command.Begin("LRANGE"u8, fields.Name, 2);
            command.AddInclusive(fields.Slice);
            return Again;
        }

        if (reply.Kind == RespKind.Array && reply.Count == 0)
        {
            // It has gone meanwhile.
            response.WriteEmptyArm(CollectionAnswer.Missing);
            return null;
        }

        return CollectionReply.Write<PlainReply, PlainElement>(command, ref reply, response, Instead.OfListFetch);
    }
}
