using Larder.Server.Calls;

namespace Larder.Server.Fleet;

/// <summary>Runs DictionarySet as HSET. If a field occurs twice, the last one wins.</summary>
internal sealed class RemoteDictionarySet() : RemoteAdd(ElementShape.Fields, isIdempotent: true)
{
    public override void BeginPart(RemoteCommand command, scoped in ElementsPart part)
    {
        int count = part.Elements.Count;
        BeginAdd(command, part, "hash"u8, "HSET"u8, 2 * count);
        for (int index = 0; index < count; index++)
        {
            command.Add(part.Elements.NameAt(index));
            command.Add(part.Elements.ValueAt(index));
        }
    }

    protected override CallError? Check(scoped in ElementsRequest fields, CallRules rules) => fields.CheckFields(rules);
}
