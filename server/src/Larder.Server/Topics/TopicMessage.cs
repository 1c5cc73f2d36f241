namespace Larder.Server.Topics;

/// <summary>What somebody published, before it has a number.</summary>
/// <param name="Value">The <c>TopicValue</c> as it is encoded in an item: one field, text (1) or binary (2), its length, and the value.</param>
/// <param name="ValueBytes">The bytes of the text or binary itself: at most <see cref="TopicLimits.MaxMessageBytes"/>.</param>
/// <param name="PublisherId">The id of the token that published; empty: there was none.</param>
internal readonly record struct TopicMessage(ReadOnlyMemory<byte> Value, int ValueBytes, string PublisherId);
