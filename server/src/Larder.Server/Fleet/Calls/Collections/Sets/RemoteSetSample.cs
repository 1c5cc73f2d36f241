using System.Buffers;
using Larder.Redis;
using Larder.Server.Calls;

namespace Larder.Server.Fleet;

/// <summary>
/// Runs SetSample as SRANDMEMBER in a script, which distinguishes an empty sample from a missing set. If the elements are large, the script returns a number
/// that makes the gateway run SRANDMEMBER as a plain command.
/// </summary>
internal sealed class RemoteSetSample() : RemoteCall(isIdempotent: true)
{
    // The count that requests all elements. It is larger than the number of elements of any set, and Redis accepts it.
    private const ulong Most = uint.MaxValue;

    // The step in which the gateway reads the whole set in parts. Used if the sample contains a large share of the set.
    private const int InParts = 2;

    public override CallError? Begin(ReadOnlySpan<byte> request, RemoteCommand command)
    {
        if (CountRequest.Decode(request, out CountRequest fields) is { } error)
        {
            return error;
        }

        command.KeepRequest(request);
        if (command.Effort == Effort.Heavy)
        {
            command.Join = new SampleSteps(command, scans: command.Step == InParts);
            return null;
        }

        command.Begin(CollectionScripts.SetSample, fields.Name, 5);
        command.Add((long)Math.Min(fields.Count, Most));
        command.Add(command.MaxBytes());
        command.Add(PlainElement.OverheadBytesPerElement);
        command.Add(FleetLimits.LightElements);
        command.Add(FleetLimits.LightBytes);
        return null;
    }

    public override CallError? Answer(RemoteCommand command, ref RespReader reply, IBufferWriter<byte> response)
    {
        if (command.NeedsTurnAsHeavy(reply))
        {
            return command.BeginHeavy();
        }

        if (reply.Is(CollectionReply.NeedsParts))
        {
            return command.BeginHeavy(InParts);
        }

        if (reply.Is(CollectionReply.UsePlainCommand))
        {
            CountRequest.Decode(command.Request.Span, out CountRequest fields);
            command.Effort = Effort.Heavy;
            command.Step = 1;
            command.Begin("SRANDMEMBER"u8, fields.Name, 1);
            command.Add((long)Math.Min(fields.Count, Most));
            return Again;
        }

        if (command.Step == 1 && reply.Count == 0)
        {
            // The set was deleted between the two commands.
            response.WriteEmptyArm(CollectionAnswer.Missing);
            return null;
        }

        return CollectionReply.Write<PlainReply, PlainElement>(command, ref reply, response, LimitAdvice.OfSetSample);
    }
}
