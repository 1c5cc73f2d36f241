using System.Buffers;
using Larder.Redis;
using Larder.Server.Calls;

namespace Larder.Server.Fleet;

/// <summary>
/// Base of the calls that add the elements of the request to a collection and set its TTL. They run as one script, or as several scripts if there are many
/// elements.
/// </summary>
/// <param name="shape">The encoding of the elements.</param>
/// <param name="isIdempotent">Whether the command may be resent if it is unknown whether it has run.</param>
/// <param name="isBackward">Whether the elements are added in reverse order.</param>
internal abstract class RemoteAdd(ElementShape shape, bool isIdempotent, bool isBackward = false) : RemoteCall(isIdempotent), IElementsWrite
{
    public sealed override CallError? Begin(ReadOnlySpan<byte> request, RemoteCommand command)
    {
        using ElementsRequest fields = ElementsRequest.Decode(request, shape);
        CallRules rules = command.Target.Rules;
        if ((Check(fields, rules) ?? rules.CheckTtl(fields.Third)) is { } error)
        {
            return error;
        }

        if (fields.Count > FleetLimits.ElementsPerStep)
        {
            command.KeepRequest(request);
            command.Join = new WriteSteps(command, this, fields, request, shape, isBackward);
        }
        else
        {
            command.Effort = Efforts.OfElements(fields.Count);
            BeginPart(command, new ElementsPart(fields.Name, fields.Elements, fields.Ttl, fields.Fifth));
        }

        return null;
    }

    public abstract void BeginPart(RemoteCommand command, scoped in ElementsPart part);

    public sealed override CallError? Answer(RemoteCommand command, ref RespReader reply, IBufferWriter<byte> response)
    {
        WriteAnswer(response, isFound: !reply.IsNull, reply.Integer);
        return null;
    }

    // The response has no fields, so nothing is written.
    public virtual void WriteAnswer(IBufferWriter<byte> response, bool isFound, long number)
    {
    }

    /// <summary>Checks the request, except for its TTL. Returns null if the request is valid.</summary>
    protected virtual CallError? Check(scoped in ElementsRequest fields, CallRules rules) => fields.Check(rules);

    /// <summary>Begins the script that adds elements. The caller then adds the elements as arguments.</summary>
    protected static void BeginAdd(RemoteCommand command, scoped in ElementsPart part, ReadOnlySpan<byte> type, ReadOnlySpan<byte> verb, int arguments)
    {
        command.Begin(CollectionScripts.CollectionAdd, part.Name, 4 + arguments);
        command.Add(type);
        command.Add(verb);
        command.Add(part.Ttl.TtlMs);
        command.Add(part.Ttl.Refresh ? 1 : 0);
    }
}
