using Larder.Server.Calls;

namespace Larder.Server.Fleet;

/// <summary>DictionaryGet: HMGET; of many fields, whose values could be of any size together, a script that counts them.</summary>
internal sealed class RemoteDictionaryGet()
    : RemoteLookUp<ValueReply, FieldPart>("HLEN"u8.ToArray(), "HMGET"u8.ToArray(), FleetLimits.ElementsUnmeasured, Instead.OfDictionaryGet)
{
    protected override CallError? Check(scoped in ElementsRequest fields, RemoteCommand command) => fields.CheckFields(command.Target.Rules);
}
