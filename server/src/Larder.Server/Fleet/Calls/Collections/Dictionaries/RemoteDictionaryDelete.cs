using Larder.Server.Calls;

namespace Larder.Server.Fleet;

/// <summary>DictionaryDelete: HDEL, or the whole.</summary>
internal sealed class RemoteDictionaryDelete()
    : RemoteRemove(DictionaryDeleteCall.All, "hash"u8.ToArray(), "HDEL"u8.ToArray(), "HLEN"u8.ToArray())
{
    protected override CallError? Check(scoped in ChosenElements fields) => fields.HasEmptyElement ? CollectionErrors.EmptyField : null;
}
