using System.Buffers;
using Larder.Redis;
using Larder.Server.Calls;
using Larder.Store.Collections;

namespace Larder.Server.Fleet;

/// <summary>
/// Runs SortedSetFetch as ZRANGE in a script that first checks the size of the response. If there are many elements, they are read page by page.
/// </summary>
internal sealed class RemoteSortedSetFetch() : RemoteCall(isIdempotent: true), IPagedCommand
{
    public override CallError? Begin(ReadOnlySpan<byte> request, RemoteCommand command)
    {
        if (SortedSetFields.Decode(request, out SortedSetFields fields) is { } error)
        {
            return error;
        }

        command.KeepRequest(request);
        if (command.Effort != Effort.Heavy)
        {
            BeginRange(command, fields, FleetLimits.LightElements, FleetLimits.LightBytes);
        }
        else if (fields.WithScores)
        {
            command.Join = new PageSteps<ScoredReply, ScoredElement>(command, this, LimitAdvice.OfSortedSetFetch);
        }
        else
        {
            command.Join = new PageSteps<PlainReply, ScorelessElement>(command, this, LimitAdvice.OfSortedSetFetch);
        }

        return null;
    }

    public void BeginPage(RemoteCommand part, ReadOnlySpan<byte> request, long before)
    {
        SortedSetFields.Decode(request, out SortedSetFields fields);
        BeginRange(part, fields, before, -FleetLimits.ElementsPerStep);
    }

    public override CallError? Answer(RemoteCommand command, ref RespReader reply, IBufferWriter<byte> response)
    {
        if (command.NeedsTurnAsHeavy(reply))
        {
            return command.BeginHeavy();
        }

        SortedSetFields.Decode(command.Request.Span, out SortedSetFields fields);
        return fields.WithScores
            ? CollectionReply.Write<ScoredReply, ScoredElement>(command, ref reply, response, LimitAdvice.OfSortedSetFetch)
            : CollectionReply.Write<PlainReply, ScorelessElement>(command, ref reply, response, LimitAdvice.OfSortedSetFetch);
    }

    private static void BeginRange(RemoteCommand command, scoped in SortedSetFields fields, long elements, long bytes)
    {
        command.Begin(CollectionScripts.SortedSetFetch, fields.Name, fields.IsByScore ? 11 : 8);
        command.Add(fields.Order == SortedSetOrder.Descending ? 1 : 0);
        command.Add(fields.WithScores ? 1 : 0);
        command.Add(command.MaxBytes());
        command.Add(fields.WithScores ? ScoredElement.OverheadBytesPerElement : ScorelessElement.OverheadBytesPerElement);
        command.Add(elements);
        command.Add(bytes);
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
    }
}
