using System.Text;
using Larder.Server.Calls;

namespace Larder.Server.Topics;

/// <summary>The names in a request on topics, and what they may be.</summary>
internal static class TopicNames
{
    private const int BytesPerCharacter = 4;

    private static readonly UTF8Encoding Strict = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);

    // Those that the last calls of a thread named: most name the same.
    [ThreadStatic]
    private static (byte[] Cache, byte[] Topic, TopicKey Key) t_last;

    /// <summary>The two names; why they are none.</summary>
    public static CallError? Decode(ReadOnlySpan<byte> cache, ReadOnlySpan<byte> topic, out TopicKey key)
    {
        if (t_last.Cache is not null && cache.SequenceEqual(t_last.Cache) && topic.SequenceEqual(t_last.Topic))
        {
            key = t_last.Key;
            return null;
        }

        key = default;
        if (topic.IsEmpty)
        {
            return cache.IsEmpty ? TopicErrors.NoCacheName : TopicErrors.NoTopicName;
        }

        if (cache.Length > BytesPerCharacter * CacheName.MaxCharacters)
        {
            return TopicErrors.NoCacheName;
        }

        if (topic.Length > BytesPerCharacter * TopicKey.MaxCharacters)
        {
            return TopicErrors.LongTopicName;
        }

        try
        {
            key = new TopicKey(Strict.GetString(cache), Strict.GetString(topic));
        }
        catch (DecoderFallbackException)
        {
            return CallError.Malformed;
        }

        if (!CacheName.IsValid(key.Cache))
        {
            return TopicErrors.NoCacheName;
        }

        if (key.Topic.Length > TopicKey.MaxCharacters)
        {
            return TopicErrors.LongTopicName;
        }

        t_last = (cache.ToArray(), topic.ToArray(), key);
        return null;
    }
}
