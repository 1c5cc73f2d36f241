using Larder.Agent;

namespace Larder.Lab.Tests.Near;

/// <summary>Tests the records of a near run. clients/node/agent and clients/python/tests contain the same test case.</summary>
public sealed class NearRecordsTests
{
    [Fact]
    public void Reads_of_one_version_are_recorded_as_one_line()
    {
        string path = Path.GetTempFileName();
        using (NearRecords records = new(path, keys: 10))
        {
            records.Wrote(1, 1, 100);
            records.Read(1, 1, 110, 120);
            records.Read(1, 1, 130, 140);
            records.Read(1, 1, 125, 150);
            records.Unknown(1, 2, 155);
            records.Read(1, 2, 160, 170);
            records.Missed(1, 16);
            records.Missed(1, 16);
        }

        Assert.Equal(["w,1,1,100", "u,1,2,155", "r,1,1,120,130", "m,1,16", "r,1,2,170,160"], File.ReadAllLines(path));
        File.Delete(path);
    }
}
