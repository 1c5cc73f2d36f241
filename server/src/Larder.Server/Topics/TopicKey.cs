namespace Larder.Server.Topics;

/// <summary>Identifies a topic: the cache name and the topic name.</summary>
internal readonly record struct TopicKey(string Cache, string Topic)
{
    /// <summary>The maximum length of a topic name in characters. At 4 bytes each, this is far below the request limit.</summary>
    public const int MaxCharacters = 1_024;
}
