namespace Larder.Client.Topics;

/// <summary>The content of a discontinuity.</summary>
internal readonly record struct TopicGap(ulong Last, ulong Next, ulong Page);
