namespace Larder.Client.Topics;

/// <summary>The content of a discontinuity: the last number before the gap, and the number and the page of the next message.</summary>
internal readonly record struct TopicGap(ulong Last, ulong Next, ulong Page);
