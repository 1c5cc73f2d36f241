using System.Buffers;
using Larder.Redis;
using Larder.Server.Calls;
using Larder.Store.Collections;

namespace Larder.Server.Fleet;

/// <summary>SortedSetFetch: ZRANGE, within a script that counts its bytes, or behind it.</summary>
internal sealed class RemoteSortedSetFetch() : RemoteCall(isIdempotent: true)
{
    public override CallError? Begin(ReadOnlySpan<byte> request, RemoteCommand command)
    {
        if (SortedSetFields.Decode(request, out SortedSetFields fields) is { } error)
        {
            return error;
        }

        command.Request = command.Caller.Keep(command, request);
        command.Begin(CollectionScripts.SortedSetFetch, fields.Name, fields.IsByScore ? 9 : 6);
        command.Add(fields.Order == SortedSetOrder.Descending ? 1 : 0);
        command.Add(fields.WithScores ? 1 : 0);
        command.Add(command.MostBytes());
        command.Add(fields.WithScores ? ScoredElement.BytesBeside : ScorelessElement.BytesBeside);
        if (fields.IsByScore)
        {
            command.AddRange(fields.Scores);
            command.AddBelow(fields.Scores);
            command.Add(fields.Offset);
            command.Add((long)fields.Count);
        }
        else
        {
            command.AddBounds(fields.Slice);
        }

        return null;
    }

    public override CallError? Answer(RemoteCommand command, ref RespReader reply, IBufferWriter<byte> response)
    {
        SortedSetFields.Decode(command.Request.Span, out SortedSetFields fields);
        if (reply.Is(CollectionReply.ReadAtOnce))
        {
            BeginPlain(command, fields);
            return Again;
        }

        return fields.WithScores
            ? CollectionReply.Write<ScoredReply, ScoredElement>(command, ref reply, response, Instead.OfSortedSetFetch)
            : CollectionReply.Write<PlainReply, ScorelessElement>(command, ref reply, response, Instead.OfSortedSetFetch);
    }

    private static void BeginPlain(RemoteCommand command, scoped in SortedSetFields fields)
    {
        bool isReverse = fields.Order == SortedSetOrder.Descending;
        command.Begin("ZRANGE"u8, fields.Name, 2 + (fields.IsByScore ? 4 : 0) + (isReverse ? 1 : 0) + (fields.WithScores ? 1 : 0));
        if (!fields.IsByScore)
        {
            command.AddInclusive(fields.Slice);
        }
        else if (isReverse)
        {
            command.AddHighest(fields.Scores);
            command.AddLowest(fields.Scores);
        }
        else
        {
            command.AddRange(fields.Scores);
        }

        if (fields.IsByScore)
        {
            command.Add("BYSCORE"u8);
            command.Add("LIMIT"u8);
            command.Add(fields.Offset);
            command.Add((long)fields.Count);
        }

        if (isReverse)
        {
            command.Add("REV"u8);
        }

        if (fields.WithScores)
        {
            command.Add("WITHSCORES"u8);
        }
    }
}
