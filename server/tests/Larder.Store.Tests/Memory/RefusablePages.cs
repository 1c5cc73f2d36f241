namespace Larder.Store.Tests;

/// <summary>A page source that uses the operating system and counts the mapped memory. A test can make it refuse memory.</summary>
internal sealed unsafe class RefusablePages : PageSource
{
    /// <summary>Whether mappings are refused.</summary>
    public bool Refuses { get; set; }

    /// <summary>The minimum size of the mappings that are refused. Smaller mappings succeed.</summary>
    public long RefusedFromBytes { get; set; }

    /// <summary>Whether unmapping fails, as it does when the limit of mappings is reached.</summary>
    public bool RefusesUnmapping { get; set; }

    public int Refused { get; private set; }

    public int Mappings { get; private set; }

    public long MappedBytes { get; private set; }

    public override byte* Map(long bytes)
    {
        if (Refuses && bytes >= RefusedFromBytes)
        {
            Refused++;
            return null;
        }

        Mappings++;
        MappedBytes += bytes;
        return base.Map(bytes);
    }

    public override bool Unmap(byte* at, long bytes)
    {
        if (RefusesUnmapping)
        {
            return false;
        }

        Mappings--;
        MappedBytes -= bytes;
        return base.Unmap(at, bytes);
    }
}
