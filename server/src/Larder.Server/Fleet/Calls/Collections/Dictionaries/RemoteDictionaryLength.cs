namespace Larder.Server.Fleet;

/// <summary>DictionaryLength: HLEN.</summary>
internal sealed class RemoteDictionaryLength() : RemoteLength("HLEN"u8.ToArray());
