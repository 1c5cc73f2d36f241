using Larder.Server.Calls;

namespace Larder.Server.Fleet;

/// <summary>DictionaryFetch: HGETALL, within a script or behind it.</summary>
internal sealed class RemoteDictionaryFetch()
    : RemoteCollectionFetch<FieldReply, FieldElement>("HLEN"u8.ToArray(), "HGETALL"u8.ToArray(), "HSCAN"u8.ToArray(), Instead.OfDictionaryFetch);
