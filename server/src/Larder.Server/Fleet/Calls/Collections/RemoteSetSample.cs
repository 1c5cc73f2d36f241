using System.Buffers;
using Larder.Redis;
using Larder.Server.Calls;

namespace Larder.Server.Fleet;

/// <summary>SetSample: SRANDMEMBER, within a script that tells a sample of none from no set, or behind it.</summary>
internal sealed class RemoteSetSample() : RemoteCall(isIdempotent: true)
{
    // More than any set has, and a number that the engine takes.
    private const ulong Most = uint.MaxValue;

    public override CallError? Begin(ReadOnlySpan<byte> request, RemoteCommand command)
    {
        if (CountRequest.Decode(request, out CountRequest fields) is { } error)
        {
            return error;
        }

        command.Request = command.Caller.Keep(command, request);
        command.Begin(CollectionScripts.SetSample, fields.Name, 3);
        command.Add((long)Math.Min(fields.Count, Most));
        command.Add(command.MostBytes());
        command.Add(PlainElement.BytesBeside);
        return null;
    }

    public override CallError? Answer(RemoteCommand command, ref RespReader reply, IBufferWriter<byte> response)
    {
        if (reply.Is(CollectionReply.ReadAtOnce))
        {
            CountRequest.Decode(command.Request.Span, out CountRequest fields);
            command.Step = 1;
            command.Begin("SRANDMEMBER"u8, fields.Name, 1);
            command.Add((long)Math.Min(fields.Count, Most));
            return Again;
        }

        if (command.Step == 1 && reply.Count == 0)
        {
            // It has gone meanwhile.
            response.WriteEmptyArm(CollectionAnswer.Missing);
            return null;
        }

        return CollectionReply.Write<PlainReply, PlainElement>(command, ref reply, response, Instead.OfSetSample);
    }
}
