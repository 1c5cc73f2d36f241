using System.Buffers;
using Larder.Redis;
using Larder.Server.Calls;

namespace Larder.Server.Fleet;

/// <summary>Runs SortedSetLengthByScore as ZCOUNT. If that returns 0, a script determines whether the sorted set exists.</summary>
internal sealed class RemoteSortedSetLengthByScore() : RemoteCall(isIdempotent: true)
{
    public override CallError? Begin(ReadOnlySpan<byte> request, RemoteCommand command)
    {
        if (ScoresRequest.Decode(request, out ScoresRequest fields) is { } error)
        {
            return error;
        }

        command.Request = command.Caller.Keep(command, request);
        command.Begin("ZCOUNT"u8, fields.Name, 2);
        command.AddRange(fields.Scores);
        return null;
    }

    public override CallError? Answer(RemoteCommand command, ref RespReader reply, IBufferWriter<byte> response)
    {
        if (command.Step == 0 && reply.Integer == 0)
        {
            ScoresRequest.Decode(command.Request.Span, out ScoresRequest fields);
            command.Step = 1;
            command.Begin(CollectionScripts.CollectionAsk, fields.Name, 4);
            command.Add("ZCARD"u8);
            command.Add("ZCOUNT"u8);
            command.AddRange(fields.Scores);
            return Again;
        }

        if (command.Step == 1 && !reply.IsNull)
        {
            reply.Read();
        }

        CollectionReply.WriteLength(reply, response);
        return null;
    }
}
