using System.Buffers;
using Larder.Redis;
using Larder.Server.Calls;

namespace Larder.Server.Fleet;

/// <summary>The calls that remove some elements of a collection, or all, and answer nothing.</summary>
/// <param name="all">The choice that means all of them.</param>
/// <param name="type">The engine's type, in ASCII.</param>
/// <param name="verb">The command that removes.</param>
/// <param name="lengthVerb">The command that counts.</param>
internal abstract class RemoteRemove(int all, byte[] type, byte[] verb, byte[] lengthVerb) : RemoteCall(isIdempotent: true), IElementsWrite
{
    public sealed override CallError? Begin(ReadOnlySpan<byte> request, RemoteCommand command)
    {
        using ChosenElements fields = ChosenElements.Decode(request);
        CallError? error = fields.Check();
        if (error is null && fields.Choice != all)
        {
            error = fields.ReadElements(command.Target.Rules) ?? Check(fields);
        }

        if (error is not null)
        {
            return error;
        }

        if (fields.Choice == all)
        {
            RemoteDeleteWhole.Begin(command, fields.Name, type);
        }
        else if (fields.Elements.Count > FleetLimits.ElementsAtOnce)
        {
            command.KeepRequest(request);
            command.Join = new WriteSteps(command, this, fields, request);
        }
        else
        {
            command.Effort = Efforts.OfElements(fields.Elements.Count);
            BeginPart(command, new ElementsPart(fields.Name, fields.Elements));
        }

        return null;
    }

    public void BeginPart(RemoteCommand command, scoped in ElementsPart part)
    {
        if (part.Elements.Count == 0)
        {
            // Whether it is of this type, all the same.
            command.Begin(lengthVerb, part.Name);
            return;
        }

        command.Begin(verb, part.Name, part.Elements.Count);
        command.AddNames(part.Elements);
    }

    public sealed override CallError? Answer(RemoteCommand command, ref RespReader reply, IBufferWriter<byte> response) => null;

    public void WriteAnswer(IBufferWriter<byte> response, bool isFound, long number)
    {
        // An answer without fields: nothing is written.
    }

    /// <summary>Null where the elements may be removed.</summary>
    protected virtual CallError? Check(scoped in ChosenElements fields) => null;
}
