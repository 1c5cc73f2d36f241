namespace Larder.Server.Metrics;

/// <summary>A table of a <see cref="SampleWindows{T}"/>.</summary>
internal interface ISampleTable
{
    /// <summary>Removes all entries.</summary>
    void Clear();
}
