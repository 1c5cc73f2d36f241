namespace Larder.Server.Metrics;

/// <summary>A table of a <see cref="SampleWindows{T}"/>.</summary>
internal interface ISampleTable
{
    /// <summary>Forgets everything.</summary>
    void Clear();
}
