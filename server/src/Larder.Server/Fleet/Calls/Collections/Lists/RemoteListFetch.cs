using System.Buffers;
using Larder.Redis;
using Larder.Server.Calls;
using Larder.Store.Collections;

namespace Larder.Server.Fleet;

/// <summary>Runs ListFetch as LRANGE in a script that first checks the size of the response. If there are many elements, they are read page by page.</summary>
internal sealed class RemoteListFetch() : RemoteCall(isIdempotent: true), IPagedCommand
{
    public override CallError? Begin(ReadOnlySpan<byte> request, RemoteCommand command)
    {
        if (SliceRequest.Decode(request, out SliceRequest fields) is { } error)
        {
            return error;
        }

        command.KeepRequest(request);
        if (command.Effort == Effort.Heavy)
        {
            command.Join = new PageSteps<PlainReply, PlainElement>(command, this, LimitAdvice.OfListFetch);
        }
        else
        {
            BeginSlice(command, fields, FleetLimits.LightElements, FleetLimits.LightBytes);
        }

        return null;
    }

    public void BeginPage(RemoteCommand part, ReadOnlySpan<byte> request, long before)
    {
        SliceRequest.Decode(request, out SliceRequest fields);
        BeginSlice(part, fields, before, -FleetLimits.ElementsPerStep);
    }

    public override CallError? Answer(RemoteCommand command, ref RespReader reply, IBufferWriter<byte> response) =>
        command.NeedsTurnAsHeavy(reply)
            ? command.BeginHeavy()
            : CollectionReply.Write<PlainReply, PlainElement>(command, ref reply, response, LimitAdvice.OfListFetch);

    private static void BeginSlice(RemoteCommand command, scoped in SliceRequest fields, long elements, long bytes)
    {
        command.Begin(CollectionScripts.ListFetch, fields.Name, 6);
        command.AddBounds(fields.Slice);
        command.Add(command.MaxBytes());
        command.Add(PlainElement.OverheadBytesPerElement);
        command.Add(elements);
        command.Add(bytes);
    }
}
