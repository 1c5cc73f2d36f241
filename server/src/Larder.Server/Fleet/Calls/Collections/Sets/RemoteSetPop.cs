using System.Buffers;
using Larder.Redis;
using Larder.Server.Calls;

namespace Larder.Server.Fleet;

/// <summary>
/// Runs SetPop as a script. The script pops the requested number of elements. If the elements do not fit into the response, the script adds them to the set
/// again.
/// </summary>
internal sealed class RemoteSetPop() : RemoteCall(isIdempotent: false)
{
    private const long TooMany = 2;

    public override CallError? Begin(ReadOnlySpan<byte> request, RemoteCommand command)
    {
        CallError? error = CountRequest.Decode(request, out CountRequest fields) ?? ((uint)fields.Count == 0 ? CollectionErrors.NothingPopped : null);
        if (error is null)
        {
            command.KeepRequest(request);
            command.Begin(CollectionScripts.SetPop, fields.Name, 5);
            command.Add((uint)fields.Count);
            command.Add(command.MaxBytes());
            command.Add(PlainElement.OverheadBytesPerElement);
            command.Add(FleetLimits.MaxElementsTotal);
            command.Add(command.MaxElements(FleetLimits.LightElements));
        }

        return error;
    }

    public override CallError? Answer(RemoteCommand command, ref RespReader reply, IBufferWriter<byte> response) =>
        command.NeedsTurnAsHeavy(reply) ? command.BeginHeavy()
        : reply.Is(TooMany) ? FleetErrors.TooManyPopped
        : CollectionReply.Write<PlainReply, PlainElement>(command, ref reply, response, LimitAdvice.OfSetPop);
}
