using System.Text;
using Larder.Server.Calls;

namespace Larder.Server.Topics;

/// <summary>Decodes and checks the cache name and topic name of a topic request.</summary>
internal static class TopicNames
{
    private const int BytesPerCharacter = 4;

    private static readonly UTF8Encoding Strict = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);

    // Caches the names, because most calls on a thread have the same names as the previous call.
    [ThreadStatic]
    private static PreviousNames? t_previous;

    /// <summary>Decodes the two names.</summary>
    /// <returns>The error; null if both names are valid.</returns>
    public static CallError? Decode(ReadOnlySpan<byte> cache, ReadOnlySpan<byte> topic, out TopicKey key)
    {
        PreviousNames previous = t_previous ??= new PreviousNames();
        bool sameCache = previous.HasCache(cache);
        if (sameCache && previous.HasTopic(topic))
        {
            key = previous.Key;
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
            key = new TopicKey(sameCache ? previous.Key.Cache : Strict.GetString(cache), Strict.GetString(topic));
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

        previous.Set(cache, topic, key);
        return null;
    }

    /// <summary>
    /// The names in the thread's last valid request. The buffers are reused, so that many requests with new names do not allocate buffers each time.
    /// </summary>
    private sealed class PreviousNames
    {
        private readonly byte[] _cache = new byte[BytesPerCharacter * CacheName.MaxCharacters];
        private readonly byte[] _topic = new byte[BytesPerCharacter * TopicKey.MaxCharacters];
        // The value 0 means that the thread has not had a valid request yet. A valid name has at least one byte.
        private int _cacheBytes;
        private int _topicBytes;

        public TopicKey Key { get; private set; }

        public bool HasCache(ReadOnlySpan<byte> name) => _cacheBytes > 0 && name.SequenceEqual(_cache.AsSpan(0, _cacheBytes));

        public bool HasTopic(ReadOnlySpan<byte> name) => name.SequenceEqual(_topic.AsSpan(0, _topicBytes));

        public void Set(ReadOnlySpan<byte> cache, ReadOnlySpan<byte> topic, TopicKey key)
        {
            cache.CopyTo(_cache);
            topic.CopyTo(_topic);
            (_cacheBytes, _topicBytes, Key) = (cache.Length, topic.Length, key);
        }
    }
}
