using System.Buffers;
using System.Text;
using Larder.Redis;
using Larder.Server.Calls;

namespace Larder.Server.Fleet;

/// <summary>Removes some or all elements of a collection. The response has no fields.</summary>
/// <param name="all">The number of the request field that selects all elements.</param>
/// <param name="type">The Redis type of the collection.</param>
/// <param name="verb">The Redis command that removes elements.</param>
/// <param name="lengthVerb">The Redis command that counts the elements.</param>
/// <param name="allowsEmptyElement">Whether an element may be empty. A dictionary's field must not be empty.</param>
internal sealed class RemoteRemove(int all, string type, string verb, string lengthVerb, bool allowsEmptyElement = true)
    : RemoteCall(isIdempotent: true), IElementsWrite
{
    private readonly byte[] _type = Encoding.ASCII.GetBytes(type);
    private readonly byte[] _verb = Encoding.ASCII.GetBytes(verb);
    private readonly byte[] _lengthVerb = Encoding.ASCII.GetBytes(lengthVerb);

    public override CallError? Begin(ReadOnlySpan<byte> request, RemoteCommand command)
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
            RemoteDeleteWhole.Begin(command, fields.Name, _type);
        }
        else if (fields.Elements.Count > FleetLimits.ElementsPerStep)
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
            // The command that counts, such as LLEN or HLEN, fails if the key has another type.
            command.Begin(_lengthVerb, part.Name);
            return;
        }

        command.Begin(_verb, part.Name, part.Elements.Count);
        command.AddNames(part.Elements);
    }

    public override CallError? Answer(RemoteCommand command, ref RespReader reply, IBufferWriter<byte> response) => null;

    public void WriteAnswer(IBufferWriter<byte> response, bool isFound, long number)
    {
        // The response has no fields, so nothing is written.
    }

    private CallError? Check(scoped in ChosenElements fields) => !allowsEmptyElement && fields.HasEmptyElement ? CollectionErrors.EmptyField : null;
}
