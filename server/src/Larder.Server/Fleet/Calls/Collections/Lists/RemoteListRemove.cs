using System.Buffers;
using Larder.Redis;
using Larder.Server.Calls;

namespace Larder.Server.Fleet;

/// <summary>Runs ListRemove as LREM in a script. A long list is processed by several scripts.</summary>
internal sealed class RemoteListRemove() : RemoteListChange(isIdempotent: true)
{
    private const int InParts = 1;

    public override CallError? Begin(ReadOnlySpan<byte> request, RemoteCommand command)
    {
        using ChosenElements fields = ChosenElements.Decode(request);
        CallError? error = fields.Check() ?? (fields.Choice == ListRemoveCall.AllWithValue ? null : CollectionErrors.NoChoice);
        if (error is not null)
        {
            return error;
        }

        command.KeepRequest(request);
        if (command.Step == InParts)
        {
            command.Join = new ListRemoveSteps(command);
            return null;
        }

        command.Begin(CollectionScripts.ListRemove, fields.Name, 3);
        command.Add(fields.Chosen);
        command.Add(command.MaxElements(FleetLimits.LightListElements));
        command.Add(FleetLimits.ListElementsPerStep);
        return null;
    }

    public override CallError? Answer(RemoteCommand command, ref RespReader reply, IBufferWriter<byte> response) =>
        reply.Is(CollectionReply.NeedsParts) ? command.BeginHeavy(InParts)
        : command.NeedsTurnAsHeavy(reply) ? command.BeginHeavy()
        : base.Answer(command, ref reply, response);
}
