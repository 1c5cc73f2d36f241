using System.Buffers;
using Larder.Redis;
using Larder.Server.Calls;

namespace Larder.Server.Fleet;

/// <summary>
/// Runs SetDifference as a script. Each variant has its own script. A script is needed because the response reports whether the set existed. The variant that
/// subtracts the set from given elements (the minuend) must also replace the set in one step.
/// </summary>
internal sealed class RemoteSetDifference() : RemoteCall(isIdempotent: false), IElementsWrite
{
    public override CallError? Begin(ReadOnlySpan<byte> request, RemoteCommand command)
    {
        using ChosenElements fields = SetDifferenceCall.Decode(request, command.Target.Rules, out SetDifferenceKind kind, out CallError? error);
        if (error is not null)
        {
            return error;
        }

        int count = fields.Elements.Count;
        switch (kind)
        {
            case SetDifferenceKind.All:
                RemoteDeleteWhole.Begin(command, fields.Name, "set"u8);
                return null;
            case SetDifferenceKind.From when count > FleetLimits.MaxElementsTotal:
                return FleetErrors.TooManyInMinuend;
            case SetDifferenceKind.From:
                command.Effort = Efforts.OfElements(count);
                command.Begin(CollectionScripts.SetSubtractFrom, fields.Name, count);
                command.AddNames(fields.Elements);
                return null;
            case SetDifferenceKind.Of when count > FleetLimits.ElementsPerStep:
                command.KeepRequest(request);
                command.Join = new WriteSteps(command, this, fields, request);
                return null;
            default:
                command.Effort = Efforts.OfElements(count);
                BeginPart(command, new ElementsPart(fields.Name, fields.Elements));
                return null;
        }
    }

    public void BeginPart(RemoteCommand command, scoped in ElementsPart part)
    {
        command.Begin(CollectionScripts.SetRemove, part.Name, part.Elements.Count);
        command.AddNames(part.Elements);
    }

    public override CallError? Answer(RemoteCommand command, ref RespReader reply, IBufferWriter<byte> response)
    {
        WriteAnswer(response, isFound: !reply.IsNull, number: 0);
        return null;
    }

    public void WriteAnswer(IBufferWriter<byte> response, bool isFound, long number) =>
        response.WriteEmptyArm(isFound ? SetDifferenceCall.Found : CollectionAnswer.Missing);
}
