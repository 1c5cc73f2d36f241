namespace Larder.Server.Topics;

/// <summary>Identifies a topic: the cache name and the topic name.</summary>
internal readonly record struct TopicKey(string Cache, string Topic)
{
    /// <summary>The maximum length of a topic name in characters. With 4 bytes per character, this is far below the limit of the request size.</summary>
    public const int MaxCharacters = 1_024;
}
