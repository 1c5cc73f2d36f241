using System.Buffers;
using Larder.Redis;
using Larder.Server.Calls;
using Larder.Store.Collections;

namespace Larder.Server.Fleet;

/// <summary>Runs SortedSetGetRank as ZRANK or ZREVRANK. If the element is missing, a script determines whether the sorted set exists.</summary>
internal sealed class RemoteSortedSetGetRank() : RemoteCall(isIdempotent: true)
{
    public override CallError? Begin(ReadOnlySpan<byte> request, RemoteCommand command)
    {
        if (RankRequest.Decode(request, out RankRequest fields) is { } error)
        {
            return error;
        }

        command.Request = command.Caller.Keep(command, request);
        command.Begin(Verb(fields), fields.Name, 1);
        command.Add(fields.Element);
        return null;
    }

    public override CallError? Answer(RemoteCommand command, ref RespReader reply, IBufferWriter<byte> response)
    {
        if (command.Step == 0 && reply.IsNull)
        {
            RankRequest.Decode(command.Request.Span, out RankRequest fields);
            command.Step = 1;
            command.Begin(CollectionScripts.CollectionAsk, fields.Name, 3);
            command.Add("ZCARD"u8);
            command.Add(Verb(fields));
            command.Add(fields.Element);
            return Again;
        }

        if (reply.IsNull)
        {
            response.WriteEmptyArm(CollectionAnswer.Missing);
            return null;
        }

        if (command.Step == 1)
        {
            reply.Read();
        }

        RankAnswer.Write(response, reply.IsNull ? null : reply.Integer);
        return null;
    }

    private static ReadOnlySpan<byte> Verb(scoped in RankRequest fields) => fields.Order == SortedSetOrder.Descending ? "ZREVRANK"u8 : "ZRANK"u8;
}
